/**
 * What a person reads: failures, warnings and what to do about them, amounts; and what a program
 * reads: JSON, exit codes. The library gives types with data; sentences and options are made here.
 */
@NullMarked
package org.murmur.cli.words;

import org.jspecify.annotations.NullMarked;
