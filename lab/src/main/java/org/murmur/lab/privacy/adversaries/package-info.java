/** What adversaries conclude from filters, and how well they do. */
@NullMarked
package org.murmur.lab.privacy.adversaries;

import org.jspecify.annotations.NullMarked;
