/** Models of clients: which filters they show over time. */
@NullMarked
package org.murmur.lab.privacy.clients;

import org.jspecify.annotations.NullMarked;
