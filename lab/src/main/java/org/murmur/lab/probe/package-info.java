/** A line to one node, embedded or real, to measure what it answers. */
@NullMarked
package org.murmur.lab.probe;

import org.jspecify.annotations.NullMarked;
