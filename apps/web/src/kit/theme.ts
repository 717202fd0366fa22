import { theme as antdTheme, type ThemeConfig } from 'antd'

export const fontFamily = '"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif'
export const defaultPrimary = '#1558D6'

/** antd with every size and colour named. compactAlgorithm is no way to density: with 13 px it makes 10 px text. */
export function themeOf(primary: string = defaultPrimary): ThemeConfig {
  return {
    algorithm: antdTheme.defaultAlgorithm,
    token: {
      colorPrimary: primary,
      colorInfo: primary,
      colorLink: primary,
      colorError: '#C62828',
      colorSuccess: '#1B7A3D',
      colorWarning: '#B86E00',
      colorText: '#1F2937',
      colorTextSecondary: '#5B6576',
      colorTextTertiary: '#5B6576',
      colorTextDescription: '#5B6576',
      colorTextPlaceholder: '#6B7585',
      colorBorder: '#C9D1DC',
      colorBorderSecondary: '#E3E8EF',
      colorBgLayout: '#F5F7FA',
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
        headerBg: '#F3F6FA',
        headerColor: '#3B4657',
        headerSplitColor: 'transparent',
        rowHoverBg: '#F5F9FF',
        rowSelectedBg: '#EDF3FE',
        rowSelectedHoverBg: '#E4EDFD',
        borderColor: '#E9EDF3',
        cellPaddingBlock: 5,
        cellPaddingInline: 8,
        cellPaddingBlockMD: 9,
        cellPaddingInlineMD: 8,
        headerBorderRadius: 0,
        headerSortActiveBg: '#F3F6FA',
        headerSortHoverBg: '#EAF0F8',
        bodySortBg: 'transparent',
      },
      Menu: {
        itemHeight: 36,
        itemSelectedBg: '#E8F0FE',
        itemBorderRadius: 0,
        itemMarginBlock: 0,
        itemMarginInline: 0,
        subMenuItemBg: 'transparent',
      },
      Tree: { titleHeight: 28, nodeSelectedBg: '#E8F0FE', nodeHoverBg: '#F3F6FA' },
      Pagination: { itemSize: 28 },
      Form: { itemMarginBottom: 16, verticalLabelPadding: '0 0 2px', labelFontSize: 14 },
      Button: { primaryShadow: 'none', defaultShadow: 'none', dangerShadow: 'none' },
      Segmented: { trackBg: '#EEF1F5' },
    },
  }
}

/** Monitoring pages: dark panels inside the light frame, control rooms. */
export function darkThemeOf(primary = '#35D0FF'): ThemeConfig {
  return {
    algorithm: antdTheme.darkAlgorithm,
    token: {
      ...themeOf().token,
      colorPrimary: primary,
      colorInfo: primary,
      colorLink: primary,
      colorError: '#FF5C5C',
      colorWarning: '#FFB020',
      colorSuccess: '#2EE6A6',
      colorText: '#D7E9FF',
      colorTextSecondary: '#8FB3D9',
      colorTextTertiary: '#8FB3D9',
      colorTextDescription: '#8FB3D9',
      colorTextPlaceholder: '#8FB3D9',
      colorBorder: '#1F3F63',
      colorBorderSecondary: '#16304F',
      colorBgBase: '#0B1A2E',
      colorBgContainer: '#0B1A2E',
      colorBgElevated: '#10253F',
      colorBgLayout: '#071426',
    },
  }
}

/** Series colours: neighbours can be told apart, also by the colour-blind. */
export const seriesColors = ['#1558D6', '#D9730D', '#2A9D8F', '#7A4FBF', '#8A94A4'] as const
export const darkSeriesColors = ['#35D0FF', '#FFB020', '#2EE6A6', '#B79BFF', '#8FB3D9'] as const
