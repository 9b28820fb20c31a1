/** The ways in which a node misbehaves, each written once: one small class each. */
@NullMarked
package org.murmur.regtest.lies;

import org.jspecify.annotations.NullMarked;
