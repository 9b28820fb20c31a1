/** Networks and their rules, checkpoints, a header, a wallet's birthday. */
@NullMarked
package org.murmur.p2p.chain;

import org.jspecify.annotations.NullMarked;
