"""all-MiniLM-L6-v2 on onnxruntime: its weights, its graph, how to install and run it.

Why not fastembed, which runs the same model on the same engine: with int8 our graph embeds 86.5 chunks per CPU second
instead of 64.1 (34.5 instead of 31.3 with AVX2 only; see docs/embedders.md). It also returns the token vectors that
reranking needs. Its weights are a package from the registry, verified by hash, so nothing is downloaded later.
"""
