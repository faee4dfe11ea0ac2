import Given

// Step 3: write here what you peel off, or in files of your own.
