"""all-MiniLM-L6-v2 on onnxruntime: its weights, its graph, how it is installed and how it is run."""
