/** Finds the real programs that tests need. */
@NullMarked
package org.murmur.regtest.program;

import org.jspecify.annotations.NullMarked;
