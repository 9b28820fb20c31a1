/** A real browser without a screen, for tests that open a page. */
@NullMarked
package org.murmur.testbed.browser;

import org.jspecify.annotations.NullMarked;
