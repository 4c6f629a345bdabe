"""Universal Sentence Encoder multilingual v3 on onnxruntime: its weights, its graph, how to install and run it."""
