import type { CSSOptions, Plugin } from 'vite'

/**
 * The component library comes with its styles written out, which saves a browser making them while a page is drawn (a fifth of what a live
 * page computes before its first value). Written out are those of all its parts; these are not used here. The sizes and colours are
 * variables, which the theme sets at run time: the values for the library's own look are left out too.
 */
const unused = [
  'affix',
  'alert',
  'anchor',
  'avatar',
  'badge',
  'border-beam',
  'breadcrumb',
  'calendar',
  'card',
  'carousel',
  'color-picker',
  'descriptions',
  'divider',
  'float-button',
  'image',
  'layout',
  'list',
  'masonry',
  'mentions',
  'message',
  'notification',
  'popconfirm',
  'result',
  'splitter',
  'statistic',
  'tabs',
  'tag',
  'timeline',
  'tour',
  'transfer',
  'watermark',
] as const

type CssPlugin = NonNullable<Exclude<CSSOptions['postcss'], string | undefined>['plugins']>[number]
type Sheet = Parameters<NonNullable<Extract<CssPlugin, { Once?: unknown }>['Once']>>[0]

const sheet = /antd\/dist\/antd\.css$/
const idle = new RegExp(`^\\.(?:ant-(?:${unused.join('|')})(?![a-z])|css-var-_R_)`)

export const withoutIdleStyles = {
  postcssPlugin: 'without-idle-styles',
  Once(root: Sheet) {
    if (!sheet.test(root.source?.input.file ?? '')) return
    root.walkRules((rule) => {
      if (rule.selectors.every((selector) => idle.test(selector))) rule.remove()
    })
  },
} satisfies CssPlugin

/** A part that is used after all would stand there without its styles. */
export const usedStyles: Plugin = {
  name: 'used-styles',
  apply: 'build',
  generateBundle(_, bundle) {
    const modules = Object.values(bundle).flatMap((one) => (one.type === 'chunk' ? one.moduleIds : []))
    for (const part of unused)
      if (modules.some((id) => id.includes(`/antd/es/${part}/style/`)))
        throw new Error(`${part} of the component library is used now: take it out of the list in library-styles.ts`)
  },
}
