// Our state after step 1: the class in one piece, with its seams.

import Given

// Step 3: write here what you peel off, or in files of your own.
