//! The mistakes that are found before C is parsed.

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
    BAD_PROJECT = "D0016", "the project file is wrong",
        "`vergo.toml` is not well formed, or says something that is not understood: a key that does not exist, a value of \
         another kind, or a path that leads out of its folder. `vergo init` writes one with comments.";
    LOST = "D0017", "a format cannot express something",
        "A goto binary is written in another tool's format, which has no place for this. Nothing is dropped silently: \
         the translation stops, or goes on without it if `--lenient` is given.";
    OPAQUE = "D0018", "a method has no body",
        "A method of a goto binary that comes from Java has no body. As JBMC does, Vergo takes it to return any value and \
         to change nothing.";
    BAD_BINARY = "D0019", "a goto binary cannot be used",
        "The file begins as a goto binary of CBMC or ESBMC does, but it is damaged, of another version, or for a machine \
         that Vergo does not know. The message names the byte or the construct.";
    GOTO_SYNTAX = "D0020", "malformed GOTO text",
        "The text is not a GOTO program. The grammar is in the documentation of the text format; `vergo goto \
         FILE.c` prints a program in it.";
    GOTO_ILL_FORMED = "D0021", "ill-formed GOTO program",
        "The program can be read but breaks a rule of the language, such as an operand of the wrong type or a \
         jump to a label that does not exist. The rules are in the documentation of the verifier.";
    REPLACED = "D0022", "a function is defined several times in a proof",
        "Of several definitions of one function, a proof uses that of its own files, which are those from the one with the \
         harness on, and else the first one, as CBMC does.";
    NO_SUCH_CHECK = "D0023", "a pragma names no check",
        "`#pragma CPROVER check disable \"NAME\"` turns off a check for the text that follows, by CBMC's name for it, such as \
         `pointer`, `bounds` or `signed-overflow`. This name is none of them, so nothing is turned off.";
    NO_INPUT = "D0030", "a nondeterministic value is missing",
        "The program asked for a nondeterministic value, and the list of inputs has none left or one of another \
         type. Values stand one on a line, such as `i32 -5`, `u8 255`, `bool true` or `f64 1.5`, in the order in \
         which the program asks for them.";
    ASSUMPTION_FAILED = "D0031", "an assumption does not hold",
        "The execution reached an assumption, such as a call of `__VERIFIER_assume`, that is false for these \
         inputs. Such an execution does not count: nothing follows from it.";
    LIMIT_REACHED = "D0032", "a limit was reached",
        "The execution took more time, memory, stack or steps than it was given. Raise the limit, or look for a \
         loop or a recursion without end.";
    DEADLOCK = "D0033", "all threads wait for each other",
        "No thread can go on: each waits for another one to end or for a lock that is held.";
    ABORTED = "D0034", "the program ended itself",
        "The program called `abort`, or an equivalent of it.";
    UNSUPPORTED_REACHED = "D0035", "an unsupported construct was reached",
        "The execution reached a construct that Vergo does not handle, so that it cannot go on.";
    NOT_EXECUTABLE = "D0036", "the program cannot be executed",
        "The program has no function in which it begins.";
    NO_SUCH_LOOP = "D0037", "a bound is given to no loop",
        "`--unwindset` gives bounds to loops by name, such as `main.0:10` for the first loop of `main`. A part of \
         what was given is no such text, or names a loop that the program does not have. `vergo check --show-loops` \
         lists the loops with their names and places.";
    NO_SYSTEM = "D0038", "the program has no transition system",
        "`vergo goto --to chc` and `--to btor2` write the transition system that engines such as `kind` decide. Programs with \
         threads, unboundedly many objects on the heap and some others have none, and not every format has arrays and \
         floating-point numbers. The message says what is in the way.";
    INEXPRESSIBLE = "D0039", "a goto binary cannot express something",
        "The format of goto binaries has no words for what is named, at the place that is shown. Nothing is written, since a \
         file that leaves it out would be another program.";
    VIOLATION = "D0040", "a property is violated",
        "The execution did what the property forbids, at the place that is shown and with the calls that are \
         listed. The property's id is in brackets.";
    NO_TERMINATION = "D0041", "a loop can run forever",
        "The loop comes to a state in which it has been before. Whatever it chose in between it can choose again, \
         and so on without end. The inputs lead to the state for the first time (the stem) and back to it (the loop).";
    FORMULA_VIOLATED = "D0042", "a formula is violated",
        "There is an execution that does not satisfy the formula of `--spec`. If it ends, or if a beginning of it shows \
         the violation, the place is shown where that is known. If it never ends, a state of the loop that is shown \
         recurs, and what was chosen in between can be chosen again; the inputs lead to the state for the first time \
         (the stem) and back to it (the loop).";
    SPECIFICATION_VIOLATED = "D0043", "a specification is violated",
        "An assertion of the automaton of `--spec` fails at the place that is shown.";
    NO_HARNESS = "D0044", "there is no proof harness",
        "`vergo kani` looks for the lists of harnesses that Kani writes (`*.kani-metadata.json`), and without one for goto \
         binaries with a function that has no parameters and that nothing calls. There is none in what was named, or none with a \
         name that was asked for.";
    WITNESS_MALFORMED = "D0050", "the witness is malformed",
        "The file is not a verification witness of format 2.0: it is not YAML, or it lacks something that the format \
         demands. The message says where, by line or by the path to the entry. Witnesses of format 1.0 (GraphML) are \
         not read.";
    WITNESS_OF_ANOTHER_PROGRAM = "D0051", "the witness is about another program",
        "The hash that the witness has of the program's file is not the hash of the file that was given. The witness is \
         validated all the same, for nothing is believed of it; but its places may be wrong in this file.";
    WITNESS_PLACE = "D0052", "the witness names a place that is not there",
        "A witness says what holds or happens at a loop, a branching, a statement or a call. At the place that it names, \
         the program has nothing of the kind.";
    WITNESS_EXPRESSION = "D0053", "the witness has a text that is not an expression",
        "Invariants and constraints are C expressions without effects, over the variables that are in scope at their \
         place. This one is not: it is malformed, uses an unknown name, or does something when it is evaluated.";
    WITNESS_REJECTED = "D0054", "the witness is rejected",
        "The content of the witness is wrong: an invariant does not hold whenever its place is reached, or no execution \
         passes its waypoints and violates the property at its target.";
    REPORT_MALFORMED = "D0055", "the report of warnings is malformed",
        "`vergo triage` reads the warnings of another analyser: SARIF 2.1.0, or lines `file:line:column: message` as gcc, clang-tidy \
         and cppcheck print them. The file is neither, or a result in it has no place.";
    BROKEN_PASS = "D0090", "a pass broke the program",
        "A transformation of Vergo left a program that is not well formed. This is a bug in Vergo; please report \
         it with the input and the passes that were run.";
}
