/** The lab's experiments as commands. */
@NullMarked
package org.murmur.cli.lab;

import org.jspecify.annotations.NullMarked;
