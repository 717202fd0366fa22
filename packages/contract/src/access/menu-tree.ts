/** Icons of menu entries; the web has a drawing for each. */
export type MenuIcon =
  | 'home'
  | 'building'
  | 'briefcase'
  | 'people'
  | 'roster'
  | 'idcard'
  | 'helmet'
  | 'records'
  | 'calendar'
  | 'personClock'
  | 'clock'
  | 'crane'
  | 'pit'
  | 'formwork'
  | 'camera'
  | 'craneAlarm'
  | 'lift'
  | 'pile'
  | 'wind'
  | 'bell'
  | 'bars'
  | 'globe'
  | 'place'
  | 'sliders'
  | 'copies'
  | 'bolt'
  | 'layers'
  | 'ledger'
  | 'plug'
  | 'box'
  | 'monitor'
  | 'project'
  | 'alert'
  | 'device'
  | 'team'

/**
 * The delivered menu trees: at most nine tabs for any group type, at most eight entries per directory, every page within two clicks. Path, title and code of a
 * page in a menu are defined only here: the web binds its component to the path.
 */
export interface MenuPage {
  path: string
  title: string
  /** The permission code that shows the entry and opens the page. */
  code: string
  /** Further codes that open the page by a link. */
  opensWith?: readonly string[] | 'anyone'
  /** Icon of the entry in the side menu; pages inside a directory have none. */
  icon?: MenuIcon
  /** Modules whose codes the page's buttons need. */
  buttons?: readonly string[]
  /** Pages reached from this one; they mark its entry as active. */
  related?: readonly string[]
  /** Group types that see the entry; default: every type that can have the code. */
  types?: readonly number[]
}
export interface MenuTab {
  name: string
  title: string
  icon: MenuIcon
  entries: readonly ((MenuPage & { icon: MenuIcon }) | { title: string; icon: MenuIcon; pages: readonly MenuPage[] })[]
}
