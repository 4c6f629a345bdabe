"""Universal Sentence Encoder multilingual v3 on onnxruntime: its weights, its graph, how it is installed and run."""
