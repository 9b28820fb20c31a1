/** Commands about what the user notes: labels, and coins that are frozen. */
@NullMarked
package org.murmur.cli.labels;

import org.jspecify.annotations.NullMarked;
