"""The journal as a transparency log (TR-13): its Merkle tree, signed checkpoints, short proofs, and witnesses.

The forms are those that public logs use, so that their tools read ours: tree hashes of RFC 6962 and RFC 9162, and the
C2SP specifications signed-note, tlog-checkpoint, tlog-cosignature, tlog-witness and tlog-proof.

No library is used for them. For Python there is none that speaks notes or cosignatures; pymerkle keeps trees
of its own, and has proofs of a form that nobody else reads.
"""
