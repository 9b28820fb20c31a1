/** Programs of at most 40 lines that use the library as somebody else's would. */
@NullMarked
package org.murmur.examples;

import org.jspecify.annotations.NullMarked;
