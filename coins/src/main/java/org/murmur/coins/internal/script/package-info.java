/** Scripts of outputs and what satisfies them, byte by byte, and their kinds. */
@NullMarked
package org.murmur.coins.internal.script;

import org.jspecify.annotations.NullMarked;
