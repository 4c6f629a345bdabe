"""Where the table is: a folder, or a bucket of object storage with a lease for its one writer."""
