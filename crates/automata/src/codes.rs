//! The mistakes in an automaton, or in a program that one is applied to.

use vergo_source::codes;

codes! {
    /// Diagnostics about instrumentation automata.
    pub CODES;
    SYNTAX = "A0001", "malformed automaton",
        "The text does not follow the grammar of instrumentation automata, which is in `docs/automata.md`, with \
         examples in `examples/`.";
    UNKNOWN_STATE = "A0002", "there is no such state",
        "A transition, or the list of start states, names a state that the automaton does not declare. States are \
         declared by `state NAME;` or `state NAME: ANNOTATION;`.";
    TWICE = "A0003", "a name is declared twice",
        "States have different names, and so have variables.";
    PLACEMENT = "A0004", "the pattern does not fit the state",
        "A state that is annotated `init`, `end` or `function` has one edge, which the pattern `any` matches, and its \
         operations come before it. A state that is annotated `loop_head` knows `any`, `cond` and `!cond`. Patterns \
         over operations and calls belong to states that are annotated `true`.";
    WRITES_PROGRAM = "A0005", "an operation writes what belongs to the program",
        "The operation of a transition may write the automaton's own variables and its own locals. It may read the \
         placeholders of its pattern and the variables that the automaton declares with `reads`, but it must not \
         change them: an instrumented program behaves as the original does.";
    UNKNOWN_FUNCTION = "A0006", "an operation calls an unknown function",
        "Operations may call `assert`, `assume` and `nondet`. Other functions could change the program's state.";
    UNKNOWN_NAME = "A0007", "an operation uses an unknown name",
        "A name in an operation is a variable of the automaton, a local of the operation, a placeholder of the \
         pattern, or a program variable that `reads` declares.";
    NO_STATE = "A0008", "the automaton has no state",
        "An automaton needs at least one state; the first one is where it starts, unless `start` says otherwise.";
    UNREACHABLE_STATE = "A0009", "no transition leads to a state",
        "The state is not a start state, and no transition leads to it, so that its own transitions are never used.";
    CONDITION = "A0010", "not a condition",
        "A condition of a formula, or a proposition (`prop`) of an automaton, is an expression of C over variables at \
         file scope. It is evaluated again and again, so that it changes nothing, calls nothing, and does nothing that \
         C leaves undefined: no reading through pointers, no index and no divisor that is not constant.";
    CONDITION_NAME = "A0011", "a condition uses an unknown name",
        "A name in a formula is a condition that `--define NAME='CONDITION'` or `prop NAME = CONDITION;` defines, or a \
         variable of the program at file scope. Variables of functions come and go, and cannot be watched.";
    FORMULA = "A0012", "malformed formula",
        "The text does not follow the grammar of formulas, which is in `docs/ltl.md`: conditions in C, and the \
         operators `!`, `&&`, `||`, `->`, `<->`, `F`, `G`, `U`, `W`, `R`, `M`.";
    NEXT = "A0013", "`X` has no meaning for programs",
        "A trace of a program has a position for each change of the formula's conditions, not for each step of some \
         machine. `X p` would depend on how the program is written and compiled. `p U q`, `p W q` and `F p` say what \
         happens in between, however many steps that takes.";
    FORMULA_SIZE = "A0014", "the automaton of a formula would be too large",
        "The automaton of a formula can be exponentially larger than the formula, and the program is checked together \
         with it. A conjunction can be checked conjunct by conjunct.";
    UNSUPPORTED_PROGRAM = "A0020", "the program cannot be instrumented here",
        "The automaton has to observe something at this place, and the instrumentation cannot be written there \
         without changing what the program does. The message says what stands in the way.";
    NOT_VISIBLE = "A0021", "a variable is not visible where an operation needs it",
        "The automaton reads a variable of the program by its name (`reads`), and an operation was to be put where \
         no variable of that name is in scope.";
    NO_ENTRY = "A0022", "the program has no main function",
        "The automaton observes the beginning or the end of the program, which is that of the function `main`.";
    INCOMPLETE_STATE = "A0023", "a part of the state is not compared",
        "The automaton compares states of the program at the head of a loop. What lies behind pointers on the heap, \
         or has no name there, is not part of what it compares. States may then seem equal that are not: a reported \
         recurrence has to be confirmed by running the program, while the absence of one still counts.";
    UNBOUNDED_STATE = "A0024", "the program may have infinitely many states",
        "That no state recurs proves termination only if there are finitely many states. Memory that is allocated \
         in a loop or in a recursion can grow without end, so that a program may run forever without being in one \
         state twice.";
    NOT_SEQUENTIALIZED = "A0025", "the program cannot be written without threads",
        "`vergo transform --sequentialize` follows threads that start with a function given by its name, locks, conditions, \
         semaphores, joins and atomic sections. The message says what stands in the way here.";
}
