/** Headers: their rules, the tree of branches, the active chain. */
@NullMarked
package org.murmur.p2p.internal.chain;

import org.jspecify.annotations.NullMarked;
