/** Finds the real programs that tests need. */
@NullMarked
package org.murmur.testbed.program;

import org.jspecify.annotations.NullMarked;
