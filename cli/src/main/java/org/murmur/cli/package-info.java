/**
 * The {@code murmur} command: it reads arguments, calls the library, and prints for people or, with
 * {@code --json}, for programs. Its output is a contract. It contains no wallet logic.
 */
@NullMarked
package org.murmur.cli;

import org.jspecify.annotations.NullMarked;
