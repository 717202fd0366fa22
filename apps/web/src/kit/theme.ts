import { theme as antdTheme, type ThemeConfig } from 'antd'
import { colors, panelColors } from './colors.ts'

const dark = panelColors.night

export const fontFamily = '"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif'
export const defaultPrimary = colors.primary

/** antd's theme with every size and colour set. compactAlgorithm is not usable for density: with 13 px it produces 10 px text. */
export function themeOf(primary: string = defaultPrimary): ThemeConfig {
  return {
    // The styles are a static file; these tokens become its CSS variables.
    zeroRuntime: true,
    algorithm: antdTheme.defaultAlgorithm,
    token: {
      colorPrimary: primary,
      colorInfo: primary,
      colorLink: primary,
      colorError: colors.danger,
      colorSuccess: colors.fine,
      colorWarning: colors.amber,
      colorText: colors.text,
      colorTextSecondary: colors.text2,
      colorTextTertiary: colors.text2,
      colorTextDescription: colors.text2,
      colorTextPlaceholder: colors.text3,
      colorBorder: colors.border,
      colorBorderSecondary: colors.line,
      colorBgLayout: colors.ground,
      colorBgMask: 'rgba(15,31,61,.45)',
      boxShadow: '0 6px 20px rgba(15,31,61,.16)',
      boxShadowSecondary: '0 6px 20px rgba(15,31,61,.16)',
      borderRadius: 4,
      borderRadiusLG: 4,
      borderRadiusSM: 3,
      fontFamily,
      fontSize: 13,
      fontSizeSM: 12,
      fontSizeLG: 14,
      lineHeight: 20 / 13,
      controlHeight: 28,
      controlHeightSM: 24,
      controlHeightLG: 36,
      paddingLG: 16,
      padding: 12,
      paddingSM: 8,
      paddingXS: 8,
      motionDurationFast: '.1s',
      motionDurationMid: '.12s',
      motionDurationSlow: '.15s',
    },
    components: {
      Table: {
        headerBg: colors.head,
        headerColor: colors.textHead,
        headerSplitColor: 'transparent',
        rowHoverBg: colors.hover,
        rowSelectedBg: '#EDF3FE',
        rowSelectedHoverBg: colors.selected,
        borderColor: colors.hairline,
        cellPaddingBlock: 5,
        cellPaddingInline: 8,
        cellPaddingBlockMD: 9,
        cellPaddingInlineMD: 8,
        headerBorderRadius: 0,
        headerSortActiveBg: colors.head,
        headerSortHoverBg: colors.hairline,
        bodySortBg: 'transparent',
      },
      Menu: {
        itemHeight: 36,
        itemSelectedBg: colors.selected,
        itemBorderRadius: 0,
        itemMarginBlock: 0,
        itemMarginInline: 0,
        subMenuItemBg: 'transparent',
      },
      Tree: { titleHeight: 28, nodeSelectedBg: colors.selected, nodeHoverBg: colors.head },
      Pagination: { itemSize: 28 },
      Form: { itemMarginBottom: 16, verticalLabelPadding: '0 0 2px', labelFontSize: 14 },
      Button: { primaryShadow: 'none', defaultShadow: 'none', dangerShadow: 'none' },
      Segmented: { trackBg: colors.sunken },
    },
  }
}

/** Theme of monitoring pages (dark panels inside the light shell) and control rooms. */
export function darkThemeOf(primary = dark.accent): ThemeConfig {
  return {
    algorithm: antdTheme.darkAlgorithm,
    token: {
      ...themeOf().token,
      colorPrimary: primary,
      colorInfo: primary,
      colorLink: primary,
      colorError: dark.alarm,
      colorWarning: dark.warning,
      colorSuccess: dark.fine,
      colorText: dark.text,
      colorTextSecondary: dark.label,
      colorTextTertiary: dark.label,
      colorTextDescription: dark.label,
      colorTextPlaceholder: dark.label,
      colorBorder: dark.line,
      colorBorderSecondary: dark.hairline,
      colorBgBase: dark.ground,
      colorBgContainer: dark.ground,
      colorBgElevated: dark.head,
      colorBgLayout: dark.deep,
    },
  }
}

/** Series colours; adjacent ones are distinguishable for colour-blind users too. */
export const seriesColors = [colors.primary, colors.orange, '#2A9D8F', '#7A4FBF', '#8A94A4'] as const
export const darkSeriesColors = [dark.accent, dark.warning, dark.fine, dark.maintenance, dark.label] as const
