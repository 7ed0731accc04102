//! What can be wrong before C is parsed.

use vergo_source::codes;

codes! {
    /// Diagnostics about files and the preprocessor.
    pub DRIVER_CODES;
    UNREADABLE = "D0001", "the file cannot be read",
        "The file does not exist, is a folder, or may not be read by this user. The message of \
         the operating system says which. A `-` in place of a file stands for standard input.";
    TOO_LARGE = "D0002", "the source text is too large",
        "All files of one run together may have 4 GiB of text, because a position takes 32 bits. \
         Verify fewer files at once.";
    CPP_SOURCE = "D0003", "the input is C++",
        "Vergo verifies C. The file's name or its contents say that it is C++, which is another \
         language: even where a text is valid in both, its meaning may differ.";
    NOT_TEXT = "D0004", "the input is not text",
        "The file contains bytes that no C source has, such as those of an object file, an \
         executable or an archive. Give the C source that it was made from.";
    NO_PREPROCESSOR = "D0010", "there is no C preprocessor",
        "The file has directives such as `#include` or `#define`, for which the host's C \
         preprocessor is run. It could not be started. Install a C compiler, name one with \
         `--cpp CMD`, or preprocess the file elsewhere (`gcc -E file.c -o file.i`) and give the \
         result: a preprocessed file needs no compiler.";
    MISSING_HEADER = "D0011", "a header was not found",
        "An `#include` names a file that is in none of the folders that the preprocessor \
         searches. Add its folder with `-I DIR`. If it belongs to a library, install the \
         package with the library's headers, or preprocess the file where they are installed.";
    PREPROCESSOR_ERROR = "D0012", "the preprocessor rejects the input",
        "The C preprocessor reported an error, for example an `#error` directive, an `#if` \
         without its `#endif`, or a malformed macro. Its message is shown as it is.";
    PREPROCESSOR_WARNING = "D0013", "the preprocessor warns",
        "The C preprocessor reported a warning, for example a `#warning` directive or a macro \
         that is defined twice. Its message is shown as it is.";
    DATA_MODEL_BY_MACROS = "D0014", "the data model is given to the preprocessor by macros",
        "The preprocessor does not know the option for the data model (`-m32` or `-m64`), or has \
         no headers for it. It was run for the host instead, with the predefined macros that \
         tell the data models apart (`__LP64__`, `__SIZE_TYPE__`, `__LONG_MAX__`, …) redefined. \
         Headers that look at other macros may still describe the host.";
}
