import FeatureKit

package enum GroupTag {}
/// A group of people who send each other photos.
package typealias GroupID = ID<GroupTag>
