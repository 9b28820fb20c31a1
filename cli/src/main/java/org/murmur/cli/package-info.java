/**
 * The {@code murmur} command: it reads arguments, asks the library, and prints for people or, with
 * {@code --json}, for programs. Its output is a contract. It makes no decisions of its own.
 */
@NullMarked
package org.murmur.cli;

import org.jspecify.annotations.NullMarked;
