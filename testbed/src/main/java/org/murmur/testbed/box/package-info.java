/** A small public network inside a network namespace of Linux, for whole commands. */
@NullMarked
package org.murmur.testbed.box;

import org.jspecify.annotations.NullMarked;
