/** Headers: networks and their rules, proof of work, the tree of branches, locators. */
@NullMarked
package org.murmur.p2p.chain;

import org.jspecify.annotations.NullMarked;
