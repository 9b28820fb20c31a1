/**
 * The base of all commands: streams, secrets, files and standard input, global options, output
 * formats.
 */
@NullMarked
package org.murmur.cli.terminal;

import org.jspecify.annotations.NullMarked;
