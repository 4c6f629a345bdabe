"""Shared by our models on onnxruntime: arrays in one file, graphs without weights, sessions."""
