/** Syncing: options, the run with progress and report, estimates, and coverage. */
@NullMarked
package org.murmur.cli.sync;

import org.jspecify.annotations.NullMarked;
