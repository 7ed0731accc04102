//! The codes of the diagnostics of lowering.

vergo_source::codes! {
    /// The diagnostics of lowering.
    pub LOWER_CODES;
    NO_ENTRY = "L0001", "the program has no entry function",
        "A program begins in `main`, or in the function that was named instead. Without one there is nothing to run \
         or to verify.";
    NO_BODY = "L0002", "a function has neither a body nor a model",
        "The function is called but defined nowhere, and Vergo has no model of it. A call violates the property \
         `call.no-body`; after it the result is any value and memory is taken to be unchanged.";
    ASM_HAVOC = "L0003", "inline assembly is approximated",
        "The outputs of an inline assembly statement are taken to get any values, and nothing else is taken to change, though \
         the instructions have other ways to memory: an address in a register, a system call, the name of a variable.";
    ASM_UNKNOWN = "L0004", "inline assembly can change memory",
        "The assembly statement clobbers memory to which it has a way besides its operands, or jumps, so that its effect is \
         not known. Reaching it makes the verdict unknown.";
    UNSUPPORTED = "L0005", "an unsupported construct",
        "Vergo does not handle this construct. Reaching it makes the verdict unknown.";
    NOT_CONSTANT = "L0006", "an initialiser is not constant",
        "The initialiser of an object with static storage duration must be constant (C17 6.7.9p4). Its value is taken \
         to be any value.";
    MODEL_ERROR = "L0007", "a library model does not compile",
        "A model that is part of Vergo was rejected by its own front end. This is a bug in Vergo.";
    NO_DEFINITION = "L0008", "a variable is defined nowhere",
        "The variable is declared `extern` and used, but no file defines it. Its first value is any value.";
    EVALUATION_ORDER = "L0009", "the order of evaluation makes a difference",
        "C does not say in which order the operands of most operators and the arguments of a call are evaluated. Where \
         functions that are called there use the same objects, Vergo tries both orders, but not where such \
         expressions are deeply nested or many. There the order is gcc's.";
    NO_CONTRACT = "L0010", "a contract is not there",
        "A function is to be checked against its contract or to be replaced by it, but no declaration of it has one \
         (`__CPROVER_requires`, `__CPROVER_ensures`, `__CPROVER_assigns`), or several functions are to be checked at once.";
    UNDECLARED = "L0011", "a proof calls a function that is not declared",
        "C leaves a call undefined whose arguments or result have other types than the function's definition, as happens where \
         the function is not declared. In a proof such a call goes as the function is defined: arguments and result are \
         converted. Declare the function to be sure that this is meant.";
    REMOVED_BODY = "L0012", "the body of a function is removed",
        "`--remove-function-body` has taken the body of the function away, and the proof has none of its own. A call of it \
         returns any value and changes nothing, which is an assumption of the proof.";
    ASM_OUTPUTS = "L0013", "inline assembly gives its outputs any values",
        "The instructions name no memory but their operands. The outputs get any values, and nothing else changes.";
    OUTSIDE_POINTERS = "L0014", "pointers from outside point to no variable",
        "A pointer that comes from outside of the program may point to every variable that other files can name. With \
         SV-COMP's properties, in proofs for CBMC, in goto binaries and in programs with many such variables and accesses, pointers \
         from outside are taken to point to none of them, which is an assumption of the verdict.";
}
