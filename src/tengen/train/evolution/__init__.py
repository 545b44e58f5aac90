"""Evolution: networks that learn by mutation and selection alone; nobody tells them which move was good."""
