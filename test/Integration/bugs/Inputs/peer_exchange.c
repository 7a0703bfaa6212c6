// A library function that the compiler knows nothing about. Each rank is a
// thread and counts its own calls.
static _Thread_local int count;

void peer_exchange(void) { ++count; }
int peer_exchange_count(void) { return count; }
