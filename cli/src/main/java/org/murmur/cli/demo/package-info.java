/** The embedded node as a command, and the demonstration that uses it. */
@NullMarked
package org.murmur.cli.demo;

import org.jspecify.annotations.NullMarked;
