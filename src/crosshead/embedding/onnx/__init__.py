"""What our models on onnxruntime share: numbers in one file, graphs without weights, sessions."""
