/**
 * The {@code murmur} command: it reads arguments, asks the library, and prints for people or, with
 * {@code --json}, for programs. What it prints is a contract; what it decides is nothing.
 */
@NullMarked
package org.murmur.cli;

import org.jspecify.annotations.NullMarked;
