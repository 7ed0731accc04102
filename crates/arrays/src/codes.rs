//! The obstacles to the transformation, and its remarks.

use vergo_source::codes;

codes! {
    /// Diagnostics about the witness-index transformation.
    pub CODES;
    NO_MAIN = "W0001", "the program has no main function",
        "The witness indices are chosen where the program begins, which is the function `main`.";
    NO_ARRAY = "W0002", "no array is abstracted",
        "The program has no array of which an arbitrary element could stand for all, or all of them are used in ways \
         that do not allow it. The program is returned as it is; `--report` says why for each array.";
    UNSUPPORTED = "W0003", "the program cannot be transformed",
        "The program declares a function of the chosen dialect in another way than the dialect does, or something in \
         it keeps the transformed text from being C. Nothing is written then.";
}
