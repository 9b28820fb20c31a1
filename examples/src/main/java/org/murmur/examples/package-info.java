/** Example programs of at most 40 lines that use the library. */
@NullMarked
package org.murmur.examples;

import org.jspecify.annotations.NullMarked;
