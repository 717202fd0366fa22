/** What can stand before an entry; the web holds a drawing for each. */
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
 * The delivered menu trees: at most nine tabs, at most eight entries a directory, every page within two clicks.
 * `code` opens the page; `buttons` names the modules whose codes its buttons ask for; `related` are the pages reached from it.
 */
export interface MenuPage {
  path: string
  title: string
  code: string
  /** Stands before the entry in the side menu; pages inside a directory are told apart by their titles. */
  icon?: MenuIcon
  buttons?: readonly string[]
  related?: readonly string[]
  /** Group types that see it; none = every type that holds the code. */
  types?: readonly number[]
}
export interface MenuTab {
  name: string
  title: string
  icon: MenuIcon
  entries: readonly ((MenuPage & { icon: MenuIcon }) | { title: string; icon: MenuIcon; pages: readonly MenuPage[] })[]
}
