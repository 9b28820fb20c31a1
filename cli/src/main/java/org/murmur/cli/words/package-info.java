/**
 * Output for people (failures, warnings, advice, amounts) and for programs (JSON, exit codes). The
 * library provides types with data; this package turns them into sentences and names of options.
 */
@NullMarked
package org.murmur.cli.words;

import org.jspecify.annotations.NullMarked;
