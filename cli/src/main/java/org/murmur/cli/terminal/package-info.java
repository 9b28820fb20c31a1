/**
 * What a command stands on: streams, secrets, files and standard input, global options, output in
 * the form that was asked for.
 */
@NullMarked
package org.murmur.cli.terminal;

import org.jspecify.annotations.NullMarked;
