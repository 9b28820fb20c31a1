/** Syncing: options, a run with its progress and report, an estimate, and what is covered. */
@NullMarked
package org.murmur.cli.sync;

import org.jspecify.annotations.NullMarked;
