extern void abort(void);
extern _Bool __VERIFIER_nondet_bool(void);
static int seq_self;
static int seq_count = 1;
static int seq_atomic;
static int seq_left;
static int seq_state[SEQ_THREADS] = {1};
static int seq_start[SEQ_THREADS];
static void *seq_result[SEQ_THREADS];
static int seq_switches(void)
{
    return seq_count > 1 && !seq_atomic && __VERIFIER_nondet_bool();
}
static void seq_blocks(void)
{
    if (seq_atomic)
        abort();
}
static void seq_atomic_begin(void)
{
    seq_atomic++;
}
static void seq_atomic_end(void)
{
    if (seq_atomic > 0)
        seq_atomic--;
}
static int seq_create(void)
{
    if (seq_count >= SEQ_THREADS)
        abort();
    seq_state[seq_count] = 1;
    return seq_count++;
}
static int seq_joins(unsigned long thread)
{
    return thread > 0 && thread < SEQ_THREADS && seq_state[thread] == 2;
}
static void seq_give(unsigned long thread, void **result)
{
    if (result != 0)
        *result = seq_result[thread];
}
static unsigned long seq_number(void)
{
    return (unsigned long)seq_self;
}
static int seq_equal(unsigned long a, unsigned long b)
{
    return a == b;
}
static int seq_clear(int *lock)
{
    *lock = 0;
    return 0;
}
static int seq_lock(int *lock)
{
    if (*lock != 0)
        return 0;
    *lock = seq_self + 1;
    return 1;
}
static int seq_try_lock(int *lock)
{
    return seq_lock(lock) ? 0 : 16;
}
static int seq_read_lock(int *lock)
{
    if (*lock < 0)
        return 0;
    *lock = *lock + 1;
    return 1;
}
static int seq_try_read_lock(int *lock)
{
    return seq_read_lock(lock) ? 0 : 16;
}
static int seq_write_lock(int *lock)
{
    if (*lock != 0)
        return 0;
    *lock = -1;
    return 1;
}
static int seq_try_write_lock(int *lock)
{
    return seq_write_lock(lock) ? 0 : 16;
}
static int seq_unlock_either(int *lock)
{
    if (*lock > 0)
        *lock = *lock - 1;
    else
        *lock = 0;
    return 0;
}
static int seq_post_init(int *semaphore, int shared, unsigned value)
{
    (void)shared;
    *semaphore = (int)value;
    return 0;
}
static int seq_post(int *semaphore)
{
    *semaphore = *semaphore + 1;
    return 0;
}
static int seq_take(int *semaphore)
{
    if (*semaphore <= 0)
        return 0;
    *semaphore = *semaphore - 1;
    return 1;
}
static int seq_step(void)
{
    return 1;
}
static int seq_status(void)
{
    return 0;
}
static int seq_main(void)
{
    for (int seq_round = 0; SEQ_GOES_ON; SEQ_COUNTS) {
        for (int seq_turn = 0; seq_turn < SEQ_THREADS; seq_turn++) {
            if (seq_state[seq_turn] == 1) {
                seq_self = seq_turn;
                if (seq_step()) {
                    seq_state[seq_turn] = 2;
                    if (seq_turn == 0 && !seq_left)
                        return seq_status();
                }
            }
        }
    }
    abort();
}
