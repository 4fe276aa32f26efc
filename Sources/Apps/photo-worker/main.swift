print("photo-worker")
