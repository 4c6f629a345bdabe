"""What is around the commands: how they are found and loaded, the flags of all, help, completion."""
