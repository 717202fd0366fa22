export interface SideNode {
  key: string
  title: string
  count?: number
  children?: SideNode[]
}
