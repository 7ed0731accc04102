//! And-inverter graphs, CNF, CaDiCaL, clause proofs, propositional interpolants.
